export function linkPackages(options: { from: string; to: string; places: string[] }): void
