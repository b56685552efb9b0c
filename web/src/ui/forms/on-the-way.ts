// A text that is typed also goes into the address, which follows a moment later and repeats each step of the typing. Such an echo
// must not undo what was typed since; any other change of the address (a link, a cleared filter) replaces the text.

/** What is still on its way into the address after something was typed. What is there already, with nothing else on the way, is not. */
export const afterTyping = (onTheWay: readonly string[], text: string, address: string): readonly string[] =>
  onTheWay.length === 0 && text === address ? [] : [...onTheWay, text]

/** What is still on its way after the address changed, or undefined if the change is no echo of what was typed. */
export function afterAddress(onTheWay: readonly string[], address: string): readonly string[] | undefined {
  const at = onTheWay.indexOf(address)
  return at < 0 ? undefined : onTheWay.slice(at + 1)
}
