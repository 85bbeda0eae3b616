// The way back from a screen to the list above it, with the filters that the list had.
import { Link, useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { BackIcon } from "../ui/icons.tsx";
import { type AreaPath, areaOf } from "./areas.ts";

/** The search parameters with which each list was last shown. */
const lastSearch = new Map<AreaPath, object>();

export function ToList() {
  const { pathname, search } = useLocation();
  const area = areaOf(pathname);
  const isList = area?.to === pathname;
  useEffect(() => {
    if (isList) lastSearch.set(area.to, search);
  }, [isList, area, search]);
  if (area === undefined || isList) return null;
  return (
    <p className="way-back">
      {/* These parameters have passed the list's own check. */}
      <Link to={area.to} search={(lastSearch.get(area.to) ?? {}) as never}>
        <BackIcon /> All {area.name.toLowerCase()}
      </Link>
    </p>
  );
}
