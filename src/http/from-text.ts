import { jsonProblem } from '../core/values/json-limits.ts'

/** Converts text from a query or form to the type of the field. Text that does not fit is kept, so that validation names the field. */
export function fromText(type: string | string[] | undefined, text: string | string[]): unknown {
  if (type === 'array') return [text].flat()
  const last = Array.isArray(text) ? text.at(-1) : text
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(last ?? '')) return Number(last)
  if (type === 'boolean' && (last === 'true' || last === 'false')) return last === 'true'
  if (type === 'object' && last?.trimStart().startsWith('{')) return parsed(last)
  return last
}

function parsed(text: string): unknown {
  if (jsonProblem(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
