// Chooses the scopes of a new key: a usual set with one click, or each scope.
import { useMe } from "../../data/me.ts";
import { Button } from "../../ui/button.tsx";
import { FieldGroup } from "../../ui/field.tsx";
import { isSameSet, PRESETS, SCOPES, type Scope } from "./scopes.ts";
import "./scope-choice.css";

interface ScopeChoiceProps {
  readonly chosen: readonly Scope[];
  readonly error: string | undefined;
  readonly onChange: (scopes: readonly Scope[]) => void;
}

export function ScopeChoice({ chosen, error, onChange }: ScopeChoiceProps) {
  const { tenant } = useMe();
  const toggle = (scope: Scope) =>
    onChange(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope]);
  return (
    <FieldGroup label="Scopes" hint="A scope to write does not include the one to read." error={error}>
      <div className="presets">
        {PRESETS.map(({ name, scopes }) => (
          <Button key={name} aria-pressed={isSameSet(chosen, scopes)} onClick={() => onChange(scopes)}>
            {name}
          </Button>
        ))}
      </div>
      <div className="choices">
        {SCOPES.map(({ scope, module, permits }) => (
          <label key={scope} className="choice">
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              checked={chosen.includes(scope)}
              aria-invalid={error !== undefined || undefined}
              onChange={() => toggle(scope)}
            />
            <code>{scope}</code>
            <small>
              {permits}
              {!tenant.modules.includes(module) &&
                ` The module “${module}” is not active, so it has no effect yet.`}
            </small>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
