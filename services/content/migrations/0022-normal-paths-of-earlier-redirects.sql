-- Reads all redirects, and changes those whose paths are not in their normal form.
-- works with: 0.2.0

update redirects set from_path = from_path
 where normal_path(from_path) is distinct from from_path or normal_path(to_path) is distinct from to_path;
