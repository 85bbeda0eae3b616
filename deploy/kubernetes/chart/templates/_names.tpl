{{/* Names, labels and images. */}}

{{- define "tradepost.name" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Labels that select the pods of a component: (dict "root" $ "component" "orders"). They never change. */}}
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

{{/* The image of a service, by digest if one is set: (dict "root" $ "component" "orders"). */}}
{{- define "tradepost.image" -}}
{{- $all := .root.Values.image -}}
{{- $own := (index .root.Values .component).image -}}
{{- with $all.registry }}{{ . }}/{{ end -}}
tradepost-{{ .component }}
{{- if $own.digest }}@{{ $own.digest }}{{ else }}:{{ $own.tag | default $all.tag | default .root.Chart.AppVersion }}{{ end -}}
{{- end -}}

{{/* A setting as text. Helm reads numbers as floating point, which would write 50000000 as 5e+07. */}}
{{- define "tradepost.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end -}}

{{/* The name of the database cluster of a service, if the operator runs it. */}}
{{- define "tradepost.cluster" -}}
{{- include "tradepost.name" .root -}}
{{- if .root.Values.postgres.operator.perService }}-{{ .component }}{{ end -}}
-db
{{- end -}}

{{- define "tradepost.broker" -}}
{{- include "tradepost.name" . -}}-rabbitmq
{{- end -}}

{{/* Fails with a sentence if an operator's kinds are missing: (dict "root" $ "api" "…" "operator" "…" "value" "…"). */}}
{{- define "tradepost.requireApi" -}}
{{- if not (.root.Capabilities.APIVersions.Has .api) -}}
{{- fail (printf "the cluster has no %s: install %s first, or set %s=false (with helm template: --api-versions %s)" .api .operator .value .api) -}}
{{- end -}}
{{- end -}}
