{{/* The volumes of a service: authorities' certificates, and the files of media. The rest of the file system is read-only. */}}

{{- define "tradepost.mounts" -}}
{{- $values := .root.Values -}}
{{- if include "tradepost.hasCa" (include "tradepost.postgresCa" . | fromYaml) }}
- { name: postgres-ca, mountPath: /etc/tradepost/postgres-ca, readOnly: true }
{{- end }}
{{- if include "tradepost.hasCa" $values.rabbitmq.ca }}
- { name: rabbitmq-ca, mountPath: /etc/tradepost/rabbitmq-ca, readOnly: true }
{{- end }}
{{- if and (eq .component "webhooks") (include "tradepost.hasCa" $values.webhooks.receiversCa) }}
- { name: receivers-ca, mountPath: /etc/tradepost/receivers-ca, readOnly: true }
{{- end }}
{{- if and (eq .component "content") (eq $values.content.media.storage "volume") }}
- { name: media, mountPath: /var/lib/tradepost }
{{- end }}
{{- end -}}

{{- define "tradepost.volumes" -}}
{{- $values := .root.Values -}}
{{- include "tradepost.caVolume" (dict "name" "postgres-ca" "ca" (include "tradepost.postgresCa" . | fromYaml)) }}
{{- include "tradepost.caVolume" (dict "name" "rabbitmq-ca" "ca" $values.rabbitmq.ca) }}
{{- if eq .component "webhooks" }}
{{- include "tradepost.caVolume" (dict "name" "receivers-ca" "ca" $values.webhooks.receiversCa) }}
{{- end }}
{{- if eq .component "content" }}
{{- include "tradepost.mediaVolume" .root }}
{{- end }}
{{- end -}}

{{- define "tradepost.mediaVolume" -}}
{{- with .Values.content.media }}
{{- if eq .storage "volume" }}
- name: media
  persistentVolumeClaim:
    claimName: {{ .volume.existingClaim | default (printf "%s-media" (include "tradepost.name" $)) }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
How long a pod may take to stop (docs/operating.md): it goes on serving for drainIdleMs, then finishes what is in progress.
The gateway takes 30 s for that, the others 15 s; webhooks, if an attempt takes longer, the attempt and 5 s. 5 s are spare.
*/}}
{{- define "tradepost.stopSeconds" -}}
{{- $finishMs := ternary 30000 15000 (eq .component "gateway") -}}
{{- if eq .component "webhooks" -}}
{{- $finishMs = max $finishMs (add (int64 (.root.Values.webhooks.settings.WEBHOOKS_TIMEOUT_MS | default 10000)) 5000) -}}
{{- end -}}
{{- div (add (int64 .root.Values.drainIdleMs) $finishMs 5999) 1000 -}}
{{- end -}}
