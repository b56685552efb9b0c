/** How much of a result is stored with its step. The whole of it can be read again with the same call. */
const storedMax = 64 * 1024

/** The result as it is stored: whole, or the beginning of its JSON with a note that there was more. */
export function toStored(output: unknown): unknown {
  const json = JSON.stringify(output)
  return json.length <= storedMax
    ? output
    : { truncated: true, characters: json.length, beginning: json.slice(0, 4_000) }
}
