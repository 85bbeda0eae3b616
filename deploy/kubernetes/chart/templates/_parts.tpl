{{/* Parts of several objects. Most take (dict "root" $ "component" "orders"). */}}

{{/* Labels that select the pods of a component. They never change. */}}
{{- define "tradepost.selector" -}}
app.kubernetes.io/name: tradepost
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "tradepost.labels" -}}
{{ include "tradepost.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{- define "tradepost.image" -}}
{{- with .root.Values.image.registry }}{{ . }}/{{ end -}}
tradepost-{{ .component }}:{{ (index .root.Values .component).imageTag | default .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{/* Settings as variables, and the files that the chart provides. Secrets come from the existingSecret. */}}
{{- define "tradepost.environment" -}}
{{- $own := index .root.Values .component -}}
{{- range $name, $value := merge (dict) $own.settings .root.Values.settings }}
{{- /* Helm reads numbers as floating point, which would write 50000000 as 5e+07. */}}
- { name: {{ $name }}, value: {{ ternary (int64 $value) $value (kindIs "float64" $value) | toString | quote }} }
{{- end }}
{{- with .root.Values.postgres.caSecret }}
- { name: POSTGRES_CA_FILE, value: /etc/tradepost/postgres-ca/ca.crt }
{{- end }}
{{- with .root.Values.rabbitmq.caSecret }}
- { name: AMQP_CA_FILE, value: /etc/tradepost/rabbitmq-ca/ca.crt }
{{- end }}
{{- if eq .component "gateway" }}
- { name: METRICS_PORT, value: "9090" }
- { name: DASHBOARD_DIR, value: /app/dashboard }
- { name: CLIENT_PACKAGE_FILE, value: /app/client.tgz }
{{- range list "orders" "content" "webhooks" }}
- { name: {{ upper . }}_URL, value: "http://{{ $.root.Release.Name }}-{{ . }}:8080" }
{{- end }}
{{- end }}
{{- if and (eq .component "content") (include "tradepost.mediaClaim" .root) }}
- { name: CONTENT_MEDIA_DIR, value: /var/lib/tradepost/media }
{{- end }}
{{- if and (eq .component "webhooks") $own.receiversCaSecret }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/tradepost/receivers-ca/ca.crt }
{{- end }}
{{- end -}}

{{/* The claim of the volume with the files of media; empty if they are in a bucket. */}}
{{- define "tradepost.mediaClaim" -}}
{{- if not .Values.content.settings.CONTENT_S3_BUCKET -}}
{{- .Values.content.mediaVolume.existingClaim | default (printf "%s-media" .Release.Name) -}}
{{- end -}}
{{- end -}}

{{/* The Secrets with certificates of authorities, by the name of the volume. */}}
{{- define "tradepost.authorities" -}}
postgres-ca: {{ .root.Values.postgres.caSecret | quote }}
rabbitmq-ca: {{ .root.Values.rabbitmq.caSecret | quote }}
{{- if eq .component "webhooks" }}
receivers-ca: {{ .root.Values.webhooks.receiversCaSecret | quote }}
{{- end }}
{{- end -}}

{{/* The rest of the file system is read-only. */}}
{{- define "tradepost.mounts" -}}
{{- range $name, $secret := include "tradepost.authorities" . | fromYaml }}
{{- if $secret }}
- { name: {{ $name }}, mountPath: /etc/tradepost/{{ $name }}, readOnly: true }
{{- end }}
{{- end }}
{{- if and (has .component (list "content" "ops")) (include "tradepost.mediaClaim" .root) }}
- { name: media, mountPath: /var/lib/tradepost{{ if eq .component "ops" }}, readOnly: true{{ end }} }
{{- end }}
{{- if eq .component "ops" }}
# For exports.
- { name: tmp, mountPath: /tmp }
{{- end }}
{{- end -}}

{{- define "tradepost.volumes" -}}
{{- range $name, $secret := include "tradepost.authorities" . | fromYaml }}
{{- if $secret }}
- { name: {{ $name }}, secret: { secretName: {{ $secret }}, items: [{ key: ca.crt, path: ca.crt }] } }
{{- end }}
{{- end }}
{{- if and (has .component (list "content" "ops")) (include "tradepost.mediaClaim" .root) }}
- { name: media, persistentVolumeClaim: { claimName: {{ include "tradepost.mediaClaim" .root }} } }
{{- end }}
{{- if eq .component "ops" }}
- { name: tmp, emptyDir: {} }
{{- end }}
{{- end -}}

{{/* All pods meet the Pod Security Standard "restricted". */}}
{{- define "tradepost.podSecurity" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
# A Service named `metrics` would otherwise set METRICS_PORT in every pod of the namespace.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "tradepost.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/*
How long a pod may take to stop (docs/operating.md): it goes on serving for DRAIN_IDLE_MS, then finishes what is in progress.
The gateway takes 30 s for that, the others 15 s; webhooks, if an attempt takes longer, the attempt and 5 s. 5 s are spare.
*/}}
{{- define "tradepost.stopSeconds" -}}
{{- $settings := merge (dict) (index .root.Values .component).settings .root.Values.settings -}}
{{- $finishMs := ternary 30000 15000 (eq .component "gateway") -}}
{{- if eq .component "webhooks" -}}
{{- $finishMs = max $finishMs (add (int64 ($settings.WEBHOOKS_TIMEOUT_MS | default 10000)) 5000) -}}
{{- end -}}
{{- div (add (int64 $settings.DRAIN_IDLE_MS) $finishMs 5999) 1000 -}}
{{- end -}}
