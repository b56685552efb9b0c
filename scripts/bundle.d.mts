import type { BuildOptions } from 'esbuild'

export function bundling(options?: { faults?: boolean }): BuildOptions
export const beside: { from: string; to: string }[]
export const threads: { in: string; out: string }[]
