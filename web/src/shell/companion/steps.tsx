import { useWords } from '../../words.ts'
import { Block } from './markdown.tsx'
import type { Step } from './talk.ts'
import { companionWords } from './words.ts'

/** Calls of the companion, each with what was given and answered. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  const say = useWords(companionWords)
  return (
    <ul className="grid gap-1 pt-1">
      {steps.map(({ id, ref, status, input, output, error }) => (
        <li key={id}>
          <details>
            <summary className="cursor-pointer">
              <bdi className="font-mono">{ref}</bdi>{' '}
              <span className={status === 'FAILED' ? 'text-danger' : 'text-soft'}>{say.states[status]}</span>
            </summary>
            {error && <p className="text-danger">{error}</p>}
            <p className="text-soft">{say.given}</p>
            <Block>{JSON.stringify(input, null, 2) ?? ''}</Block>
            <p className="text-soft">{say.answered}</p>
            <Block>{(JSON.stringify(output, null, 2) ?? '').slice(0, 4_000)}</Block>
          </details>
        </li>
      ))}
    </ul>
  )
}
