import { useId } from "react";
import "./progress.css";

interface ProgressProps {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

export function Progress({ label, done, total }: ProgressProps) {
  const id = useId();
  return (
    <div className="progress">
      <label htmlFor={id}>{label}</label>
      <progress id={id} value={done} max={Math.max(total, 1)} />
      <span className="number soft">
        {done} of {total}
      </span>
    </div>
  );
}
