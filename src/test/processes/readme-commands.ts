import { readFileSync } from 'node:fs'

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')

/** The fenced blocks below a heading of README.md, without their indentation. */
export function commandsBelow(heading: string): string[] {
  const [, below = ''] = readme.split(new RegExp(`^## ${heading}$`, 'm'))
  const [section = ''] = below.split(/^## /m)
  const blocks = section.matchAll(/^( *)```\n(.*?)^ *```$/gms)
  return [...blocks].map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}
