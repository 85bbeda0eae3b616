# Save as receiver.rb; run with: ruby receiver.rb
require "json"
require "openssl"
require "socket"

SECRET = ENV.fetch("WEBHOOK_SECRET")
abort "WEBHOOK_SECRET is not set" unless SECRET.start_with?("whsec_")
STANDARD_KEY = SECRET.delete_prefix("whsec_").unpack1("m0")
TOLERANCE_SECONDS = 5 * 60
BODY_BYTES_MAX = 4 * 1024 * 1024
HANDLED = {}
MUTEX = Mutex.new
$stdout.sync = true

def genuine?(headers, body)
  service = "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", SECRET, body)
  service_sent = [headers["x-service-signature"], headers["x-service-signature-previous"]].compact

  timestamp = headers["webhook-timestamp"].to_s
  signed = "#{headers["webhook-id"]}.#{timestamp}.".b + body
  standard = "v1," + [OpenSSL::HMAC.digest("SHA256", STANDARD_KEY, signed)].pack("m0")
  standard_sent = headers["webhook-signature"].to_s.split(" ")

  service_sent.any? { |sent| OpenSSL.secure_compare(sent, service) } &&
    standard_sent.any? { |sent| OpenSSL.secure_compare(sent, standard) } &&
    (Time.now.to_i - timestamp.to_i).abs <= TOLERANCE_SECONDS
end

def handle_once(event)
  MUTEX.synchronize do
    return if HANDLED[event["id"]]

    handle(event)
    HANDLED[event["id"]] = true
  end
end

# Short work, or the insert of a job for a worker.
def handle(event)
  puts "handled #{event["id"]} #{event["type"]}"
end

# What a framework does for you: in Rack the raw body is request.body.read, in Rails request.raw_post.
def read_request(socket)
  socket.gets("\r\n", 8192)
  headers = {}
  while (line = socket.gets("\r\n", 8192)&.chomp("\r\n")) && !line.empty?
    name, value = line.split(":", 2)
    headers[name.downcase] = value.to_s.strip
  end
  length = headers["content-length"].to_i
  raise "the body is too large" unless length.between?(0, BODY_BYTES_MAX)

  [headers, socket.read(length).to_s]
end

def receive(socket)
  headers, body = read_request(socket)
  return "401 Unauthorized" unless genuine?(headers, body)

  handle_once(JSON.parse(body.force_encoding("UTF-8")))
  "204 No Content"
rescue StandardError => error
  warn error.full_message
  "500 Internal Server Error"
end

server = TCPServer.new("127.0.0.1", Integer(ENV.fetch("PORT", "8000")))
loop do
  Thread.new(server.accept) do |socket|
    socket.write("HTTP/1.1 #{receive(socket)}\r\nConnection: close\r\n\r\n")
  ensure
    socket.close
  end
end
