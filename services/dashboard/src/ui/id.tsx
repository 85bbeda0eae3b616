// An id. Lists show only its end, because ids that were made at about the same time begin alike.
import "./id.css";

const END = 8;

export function ShortId({ id }: { readonly id: string }) {
  return (
    <code className="id" title={id}>
      …{id.slice(-END)}
    </code>
  );
}
