import { useWords } from '../../../words.ts'
import { readGuard } from '../conditions/conditions.ts'
import { useGuardText } from '../conditions/guard-text.ts'
import { useEditing } from '../editor/editing.ts'
import { canvasWords } from './canvas-words.ts'
import { type Edge, inOrder } from './graph.ts'

/** What a connection asks for, in a line: “for each · Total is more than 1000”. */
export function useEdgeLabel() {
  const say = useWords(canvasWords)
  const { graph } = useEditing()
  // names of fields are looked up among everything in the graph: the last block sees the most
  const sentence = useGuardText(inOrder(graph).at(-1)?.id ?? '')
  return ({ mode, each, cond }: Edge) => {
    const guard = readGuard(cond)
    const often = mode === 'FOR_EACH' ? [each ? `${say.forEach} ${each}` : say.forEach] : []
    return [...often, ...(guard.of.length > 0 ? [sentence(guard)] : [])].join(' · ')
  }
}
