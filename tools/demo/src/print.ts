// Prints the steps of the demo.

export function print(line: string): void {
  console.log(line);
}

export function heading(title: string): void {
  console.log(`\n${title}\n${"─".repeat(title.length)}`);
}

export function request(method: string, path: string, body: unknown): void {
  console.log(`   ${method} ${path}  ${JSON.stringify(body)}`);
}

export function detail(fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    console.log(`   → ${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`);
  }
}
