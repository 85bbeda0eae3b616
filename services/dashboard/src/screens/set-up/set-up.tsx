export function SetUp() {
  return <main className="alone" />;
}
