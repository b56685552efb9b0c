import { useState } from 'react'
import { Refused, useWrite } from '../../../api.ts'
import { refusal } from '../../../refusals.ts'
import { say as tell } from '../../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import type { Automation } from '../graph/graph.ts'
import type { Warning } from './warnings.tsx'
import { automationWords } from './words.ts'

type Switched = { id: string; name: string }

/** Turns automations on and off. What will not work is told after turning on. */
export function useSwitching() {
  const say = useWords(automationWords)
  const failed = useFailed()
  const enable = useWrite('automations_enable')
  const disable = useWrite('automations_disable')
  const [warned, setWarned] = useState<{ of: Switched; warnings: readonly Warning[] } | null>(null)
  /** Answers the automation as it is then, or nothing if it was refused. */
  const turn = async (automation: Switched, on: boolean, stop = false): Promise<Automation | undefined> => {
    const { id, name } = automation
    try {
      const done = on ? await enable.mutateAsync({ id }) : await disable.mutateAsync({ id, ...(stop && { stop }) })
      if (on && done.warnings?.length) setWarned({ of: automation, warnings: done.warnings })
      else tell(on ? say.isOn(name) : say.isOff(name))
      return done
    } catch (error) {
      failed(error)
      return undefined
    }
  }
  return { turn, warned, close: () => setWarned(null), busy: enable.isPending || disable.isPending }
}

/** Tells why something was refused. */
export function useFailed() {
  const lang = useLanguage()
  return (error: unknown) =>
    tell(error instanceof Refused ? refusal(lang, error) : String((error as Error).message), { bad: true })
}
