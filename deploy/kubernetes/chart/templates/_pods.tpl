{{/* Parts of all pods, which meet the Pod Security Standard "restricted". */}}

{{- define "tradepost.podSecurity" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
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

{{/* Certificates of an authority as a volume, and its path: (dict "name" "postgres-ca" "ca" .Values.postgres.ca). */}}
{{- define "tradepost.caVolume" -}}
{{- if .ca.existingSecret }}
- name: {{ .name }}
  secret:
    secretName: {{ .ca.existingSecret }}
    items: [{ key: {{ .ca.key }}, path: ca.crt }]
{{- else if .ca.existingConfigMap }}
- name: {{ .name }}
  configMap:
    name: {{ .ca.existingConfigMap }}
    items: [{ key: {{ .ca.key }}, path: ca.crt }]
{{- end }}
{{- end -}}

{{- define "tradepost.hasCa" -}}
{{- if or .existingSecret .existingConfigMap }}true{{ end -}}
{{- end -}}

{{/* The authority of the certificates of a service's database. The operator makes one for each cluster. */}}
{{- define "tradepost.postgresCa" -}}
{{- if .root.Values.postgres.operator.enabled -}}
existingSecret: {{ include "tradepost.cluster" . }}-ca
key: ca.crt
{{- else -}}
{{- toYaml .root.Values.postgres.ca -}}
{{- end -}}
{{- end -}}

{{/* A variable from a Secret: (dict "name" "AMQP_URL" "secret" "tradepost-orders" "optional" false). */}}
{{- define "tradepost.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: {{ .name }}{{ if .optional }}, optional: true{{ end }} }
{{- end -}}
