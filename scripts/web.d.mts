import type * as esbuild from 'esbuild'

export function webSources(): string[]
export function buildWeb(options: { esbuild: typeof esbuild; out: string; entry?: string }): Promise<esbuild.Metafile>
export function initialFiles(metafile: esbuild.Metafile, file: string): Set<string>
