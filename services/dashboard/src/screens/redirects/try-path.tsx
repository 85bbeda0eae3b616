import { type FormEvent, useId, useState } from "react";
import { sentence } from "../../api/field-errors.ts";
import { useRead } from "../../data/use-read.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote, Note } from "../../ui/note.tsx";
import { nameOf } from "./redirect-type.ts";
import "./try-path.css";

const NOT_FOUND = 404;
const INVALID = 422;

export function TryPath() {
  const id = useId();
  const [path, setPath] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setPath(String(new FormData(event.currentTarget).get("path")).trim() || null);
  };
  return (
    <div className="try-path">
      <form onSubmit={submit}>
        <label htmlFor={id}>Where does a visitor of this path end up?</label>
        <div className="try-path-row">
          <input
            id={id}
            className="input"
            name="path"
            placeholder="/old-page"
            autoComplete="off"
            spellCheck={false}
          />
          <Button type="submit">Try it</Button>
        </div>
      </form>
      <div role="status">{path !== null && <Outcome path={path} />}</div>
    </div>
  );
}

function Outcome({ path }: { readonly path: string }) {
  const { data, error, refetch } = useRead("resolveRedirect", { query: { path } });
  if (data !== undefined)
    return (
      <Note tone="info" title={`To ${data.to}`}>
        <p>
          {nameOf(data.type)} (<code>{data.type}</code>), by the redirect from <code>{data.from}</code>.
        </p>
      </Note>
    );
  if (error?.status === NOT_FOUND)
    return (
      <Note tone="info" title="Nowhere else">
        <p>
          No redirect leads from <code>{path}</code>: visitors get what is there.
        </p>
      </Note>
    );
  if (error?.status === INVALID)
    return (
      <Note tone="warning" title="This is not a path">
        <p>{error.details.map(({ message }) => sentence(message)).join(" ")}</p>
      </Note>
    );
  return error && <ErrorNote failure={error} onRetry={refetch} />;
}
