export function traceSources(folder: string): void
