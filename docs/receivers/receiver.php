<?php
// Save as receiver.php; run with: php -S "127.0.0.1:$PORT" receiver.php

const TOLERANCE_SECONDS = 5 * 60;
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const HANDLED = __DIR__ . '/handled';

$secret = (string) getenv('WEBHOOK_SECRET');
if (!str_starts_with($secret, 'whsec_')) {
    http_response_code(500);
    error_log('WEBHOOK_SECRET is not set');
    exit;
}

$body = file_get_contents('php://input', false, null, 0, BODY_BYTES_MAX + 1);
if (strlen($body) > BODY_BYTES_MAX) {
    http_response_code(413);
    exit;
}
if (!isGenuine($secret, $body)) {
    http_response_code(401);
    exit;
}
// If PHP displays an error, the status is 200: so set a failure until the work is done.
http_response_code(500);
handleOnce(json_decode($body, true, 512, JSON_THROW_ON_ERROR));
http_response_code(204);

function isGenuine(string $secret, string $body): bool
{
    $service = 'sha256=' . hash_hmac('sha256', $body, $secret);
    $serviceSent = [sentHeader('X_SERVICE_SIGNATURE'), sentHeader('X_SERVICE_SIGNATURE_PREVIOUS')];

    $timestamp = sentHeader('WEBHOOK_TIMESTAMP');
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = sentHeader('WEBHOOK_ID') . '.' . $timestamp . '.' . $body;
    $standard = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    $standardSent = explode(' ', sentHeader('WEBHOOK_SIGNATURE'));

    return isAnyEqual($serviceSent, $service)
        && isAnyEqual($standardSent, $standard)
        && abs(time() - (int) $timestamp) <= TOLERANCE_SECONDS;
}

function sentHeader(string $name): string
{
    return $_SERVER["HTTP_$name"] ?? '';
}

function isAnyEqual(array $sent, string $expected): bool
{
    foreach ($sent as $each) {
        if (hash_equals($expected, $each)) {
            return true;
        }
    }
    return false;
}

function handleOnce(array $event): void
{
    if (!is_dir(HANDLED)) {
        @mkdir(HANDLED);
    }
    $file = HANDLED . '/' . hash('sha256', $event['id']);
    // Mode x creates the file or fails, as an insert with a primary key does.
    $mark = @fopen($file, 'x');
    if ($mark === false && !file_exists($file)) {
        throw new RuntimeException('cannot write to ' . HANDLED);
    }
    if ($mark === false) {
        return;
    }
    try {
        handle($event);
    } catch (Throwable $error) {
        unlink($file);
        throw $error;
    }
}

// Short work, or the insert of a job for a worker.
function handle(array $event): void
{
    file_put_contents('php://stdout', "handled {$event['id']} {$event['type']}\n");
}
