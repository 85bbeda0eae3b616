{{/* The environment of each service: the settings of its README. Secrets come from its existingSecret, by their names. */}}

{{- define "tradepost.environment" -}}
{{- $values := .root.Values -}}
{{- $own := index $values .component -}}
{{- $name := include "tradepost.name" .root -}}
{{- $secret := $own.existingSecret -}}
{{- $upper := upper .component -}}
- { name: HOST, value: {{ $values.listenOn | quote }} }
- { name: LOG_LEVEL, value: {{ $values.logLevel | quote }} }
- { name: DRAIN_IDLE_MS, value: {{ include "tradepost.text" $values.drainIdleMs | quote }} }
{{- with $values.otlpEndpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
- { name: POSTGRES_POOLER, value: {{ $values.postgres.pooler | quote }} }
- { name: POSTGRES_PREPARE, value: {{ $values.postgres.prepare | quote }} }
{{- if include "tradepost.hasCa" (include "tradepost.postgresCa" . | fromYaml) }}
- { name: POSTGRES_CA_FILE, value: /etc/tradepost/postgres-ca/ca.crt }
{{- end }}
{{- if include "tradepost.hasCa" $values.rabbitmq.ca }}
- { name: AMQP_CA_FILE, value: /etc/tradepost/rabbitmq-ca/ca.crt }
{{- end }}
{{ include "tradepost.secretVariable" (dict "name" (printf "%s_DATABASE_URL" $upper) "secret" $secret) }}
{{ include "tradepost.secretVariable" (dict "name" "AMQP_URL" "secret" $secret) }}
{{- if eq .component "gateway" }}
- { name: METRICS_PORT, value: "9090" }
- { name: DASHBOARD_DIR, value: /app/dashboard }
- { name: CLIENT_PACKAGE_FILE, value: /app/client.tgz }
{{- range list "orders" "content" "webhooks" }}
- { name: {{ upper . }}_URL, value: "http://{{ $name }}-{{ . }}:8080" }
{{ include "tradepost.secretVariable" (dict "name" (printf "%s_GATEWAY_SECRET" (upper .)) "secret" $secret) }}
{{- end }}
{{ include "tradepost.secretVariable" (dict "name" "TOKEN_SIGNING_KEYS" "secret" $secret) }}
{{ include "tradepost.secretVariable" (dict "name" "RATE_LIMIT_REDIS_URL" "secret" $secret "optional" true) }}
{{- else }}
{{ include "tradepost.secretVariable" (dict "name" "GATEWAY_SECRET" "secret" $secret) }}
{{- end }}
{{- if has .component (list "content" "webhooks") }}
- { name: CANARY_EVERY_MS, value: {{ include "tradepost.text" $values.canaryEveryMs | quote }} }
{{- end }}
{{- if eq .component "content" }}
{{ include "tradepost.secretVariable" (dict "name" "CONTENT_MEDIA_LINK_SECRETS" "secret" $secret) }}
{{ include "tradepost.mediaEnvironment" (dict "root" .root "secret" $secret) }}
{{- end }}
{{- if eq .component "webhooks" }}
{{- /* One of them is required, which the service says if both are missing. */}}
{{ include "tradepost.secretVariable" (dict "name" "WEBHOOKS_SEALING_KEYS" "secret" $secret "optional" true) }}
{{ include "tradepost.secretVariable" (dict "name" "WEBHOOKS_SEALING_KEY" "secret" $secret "optional" true) }}
{{ include "tradepost.secretVariable" (dict "name" "NOTICES_SMTP_URL" "secret" $secret "optional" true) }}
{{- with $own.egressAllow }}
- { name: WEBHOOKS_EGRESS_ALLOW, value: {{ join "," . | quote }} }
{{- end }}
{{- if include "tradepost.hasCa" $own.receiversCa }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/tradepost/receivers-ca/ca.crt }
{{- end }}
{{- end }}
{{- range $setting, $value := $own.settings }}
- { name: {{ $setting }}, value: {{ include "tradepost.text" $value | quote }} }
{{- end }}
{{- end -}}

{{/* Where the files of media are: (dict "root" $ "secret" "tradepost-content"). */}}
{{- define "tradepost.mediaEnvironment" -}}
{{- with .root.Values.content.media -}}
{{- if eq .storage "s3" -}}
- { name: CONTENT_S3_BUCKET, value: {{ .s3.bucket | quote }} }
- { name: CONTENT_S3_REGION, value: {{ .s3.region | quote }} }
- { name: CONTENT_S3_FORCE_PATH_STYLE, value: {{ .s3.forcePathStyle | quote }} }
{{- with .s3.endpoint }}
- { name: CONTENT_S3_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{ include "tradepost.secretVariable" (dict "name" "CONTENT_S3_ACCESS_KEY_ID" "secret" $.secret "optional" true) }}
{{ include "tradepost.secretVariable" (dict "name" "CONTENT_S3_SECRET_ACCESS_KEY" "secret" $.secret "optional" true) }}
{{- else -}}
- { name: CONTENT_MEDIA_DIR, value: /var/lib/tradepost/media }
{{- end -}}
{{- end -}}
{{- end -}}
