import { useState } from 'react'
import { Refused, useWrite } from '../../api.ts'
import { refusal } from '../../refusals.ts'
import { say as tell } from '../../ui/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
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
  const turn = async (automation: Switched, on: boolean, stop = false) => {
    try {
      if (!on) {
        await disable.mutateAsync({ id: automation.id, ...(stop && { stop }) })
        return tell(say.isOff(automation.name))
      }
      const { warnings = [] } = await enable.mutateAsync({ id: automation.id })
      if (warnings.length > 0) return setWarned({ of: automation, warnings })
      tell(say.isOn(automation.name))
    } catch (error) {
      failed(error)
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
