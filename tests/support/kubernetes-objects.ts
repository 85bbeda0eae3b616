// The types of the objects that the chart renders, limited to what tests use. kubernetes-schemas.ts validates whole objects.

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the kind says what it is.
  readonly spec?: any;
  readonly data?: Readonly<Record<string, string>>;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes?: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
  readonly terminationGracePeriodSeconds?: number;
  readonly topologySpreadConstraints?: readonly { topologyKey: string; whenUnsatisfiable: string }[];
  readonly [field: string]: unknown;
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env: readonly Variable[];
  readonly volumeMounts?: readonly { name: string; mountPath: string; readOnly?: boolean }[];
  readonly [field: string]: unknown;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { name: string; key: string; optional?: boolean } };
}

/** A pod that an object creates, with the labels by which policies and budgets select it. */
export interface PodTemplate {
  readonly owner: KubernetesObject;
  readonly component: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

export function podTemplatesOf(objects: readonly KubernetesObject[]): PodTemplate[] {
  return objects.flatMap((owner) => {
    const template = owner.kind === "Pod" ? owner : owner.spec?.template;
    if (template?.spec?.containers === undefined) return [];
    const { labels } = template.metadata;
    return [{ owner, component: labels["app.kubernetes.io/component"], labels, spec: template.spec }];
  });
}

export function ofKind(kind: string, objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects.filter((object) => object.kind === kind);
}

/** Returns the only object with this kind and name. */
export function objectNamed(
  kind: string,
  name: string,
  objects: readonly KubernetesObject[],
): KubernetesObject {
  const [found, ...others] = ofKind(kind, objects).filter((object) => object.metadata.name === name);
  if (found === undefined || others.length > 0) throw new Error(`there is not one ${kind} ${name}`);
  return found;
}

/** Reports whether `matchLabels` select these labels. */
export function selects(
  selector: { matchLabels?: Record<string, string> },
  labels: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}
