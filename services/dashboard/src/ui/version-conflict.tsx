// Shown after a 412: someone else has changed the resource since it was read. Shows both versions, and lets the user choose.
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "./button.tsx";
import { Note } from "./note.tsx";

export interface Difference {
  readonly field: string;
  readonly yours: ReactNode;
  readonly now: ReactNode;
}

interface VersionConflictProps {
  readonly differences: readonly Difference[];
  readonly onSaveYours: () => void;
  readonly onTakeTheirs: () => void;
}

export function VersionConflict({ differences, onSaveYours, onTakeTheirs }: VersionConflictProps) {
  const frame = useRef<HTMLDivElement>(null);
  // Scrolls into view, because the pressed button may be at the end of a long form.
  useEffect(() => {
    frame.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={frame}>
      <Note tone="warning" title="Someone else has changed this meanwhile" isAlert>
        <p>Nothing is lost: your version is not saved yet. Compare the two, and choose.</p>
        <table className="versions">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Saved now</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, yours, now }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{yours}</td>
                <td>{now}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="row">
          <Button text="Save your version" look="primary" onClick={onSaveYours} />
          <Button text="Discard yours" onClick={onTakeTheirs} />
        </div>
      </Note>
    </div>
  );
}
