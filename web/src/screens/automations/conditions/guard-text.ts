import { useWords } from '../../../words.ts'
import { canvasWords } from '../graph/canvas-words.ts'
import { useBindingName } from '../panels/binding-name.ts'
import { bindingsIn } from '../panels/bindings.ts'
import { type Condition, isGroup, isLone, shownOperand } from './conditions.ts'

/** A guard as a sentence: “Total · What started it is more than 1000”. */
export function useGuardText(blockId: string) {
  const say = useWords(canvasWords)
  const nameOf = useBindingName(blockId)
  const operand = (value: unknown) => {
    const text = shownOperand(value)
    return bindingsIn(text).reduce((shown, path) => shown.replace(`{{${path}}}`, nameOf(path)), text)
  }
  const sentence = (condition: Condition): string => {
    if (!isGroup(condition)) {
      const { left, op, right } = condition
      return [operand(left), say.operators[op], isLone(op) ? '' : operand(right)].filter(Boolean).join(' ')
    }
    const parts = condition.of.map((each) => (isGroup(each) ? `(${sentence(each)})` : sentence(each)))
    const joined = parts.join(` ${say.joinWords[condition.join]} `)
    return condition.join === 'none' ? `${say.joins.none}: ${joined}` : joined
  }
  return sentence
}
