import { bindingRoots, withoutBindings } from '../engine/bindings.ts'

const roots = bindingRoots.join('|')
/** A path as the whole text: "trigger.total", and not "item. 5" or "context. Then". */
const wholePath = new RegExp(`^\\s*((?:${roots}|secrets)\\.[A-Za-z_][\\w+-]*(?:\\.[\\w+-]+)*)\\s*$`)
const unclosed = /\{\{\s*([A-Za-z_][\w.+-]*)/
const inSingleBraces = new RegExp(`\\{\\s*((?:${roots}|secrets)\\.[\\w.+-]+)\\s*\\}`)
const inScriptBraces = /\$\{\s*([A-Za-z_][\w.+-]*)/

const shownMax = 100

/** What is wrong with a text that looks like a binding and is none; undefined for ordinary text. */
export function notABinding(text: string): string | undefined {
  const rest = withoutBindings(text)
  const path = wholePath.exec(text)?.[1]
  if (path !== undefined) return `${shown(path)} is taken as text. Write {{${shown(path)}}} for its value.`
  const found = [inScriptBraces, unclosed, inSingleBraces].map((form) => form.exec(rest)).find(Boolean)
  if (!found) return undefined
  const [written, name = ''] = found
  return `${shown(written)} is taken as text. A binding has two braces on both sides: {{${shown(name)}}}.`
}

const shown = (text: string) => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)
