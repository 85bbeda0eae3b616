// What a fail point is in production: nothing. V8 inlines the empty call away. Stands in for `fail-point.ts`.

export function failPoint(_name: string): void {}
