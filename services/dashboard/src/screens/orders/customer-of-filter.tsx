// Finds the customer that the filter names by an e-mail address. Several customers may have the same one.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useList } from "../../data/use-list.ts";
import { isUuid } from "../../format/search-values.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListView } from "../../ui/views.tsx";

interface CustomerOfFilterProps {
  /** An e-mail address or an id; undefined for all customers. */
  readonly text: string | undefined;
  readonly children: (customerId: string | undefined) => ReactNode;
}

export function CustomerOfFilter({ text, children }: CustomerOfFilterProps) {
  if (text === undefined || isUuid(text)) return children(text);
  return <ByEmail email={text}>{children}</ByEmail>;
}

function ByEmail({ email, children }: Pick<CustomerOfFilterProps, "children"> & { readonly email: string }) {
  const list = useList("listCustomers", { email });
  const nobody = (
    <EmptyState title="No customer has this e-mail address">
      <p>Type the whole address; upper and lower case do not matter.</p>
      <Link to="/customers">Look at the customers</Link>
    </EmptyState>
  );
  return (
    <ListView list={list} empty={nobody}>
      {([first, ...others]) =>
        first !== undefined && others.length === 0 ? (
          children(first.id)
        ) : (
          <EmptyState title="Several customers have this e-mail address">
            <p className="row">
              {[first, ...others].map(
                (one) =>
                  one && (
                    <Link
                      key={one.id}
                      from="/orders"
                      to="/orders"
                      search={(now) => ({ ...now, customer: one.id })}
                    >
                      <bdi>{one.name}</bdi>
                    </Link>
                  ),
              )}
            </p>
          </EmptyState>
        )
      }
    </ListView>
  );
}
