/** Bundles the programs into dist/ if their sources have changed since the last build. */
export function ensureBuilt(options: { say: (line: string) => void }): Promise<void>
