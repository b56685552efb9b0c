/** Text from a query or a form as a value of the field's type; what does not fit stays text and is refused by name. */
export function fromText(type: string | string[] | undefined, text: string | string[]): unknown {
  if (type === 'array') return [text].flat()
  const last = Array.isArray(text) ? text.at(-1) : text
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(last ?? '')) return Number(last)
  if (type === 'boolean' && (last === 'true' || last === 'false')) return last === 'true'
  return last
}
