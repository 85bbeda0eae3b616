// Replaces `fail-point.ts` in the production build. V8 removes calls of the empty function.

export function failPoint(_name: string): void {}
