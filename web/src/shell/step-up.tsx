import { useEffect, useRef, useState } from 'react'
import { proof } from '../api.ts'
import { lazily } from '../ui/lazily.tsx'

const ProofDialog = lazily(() => import('./proof-dialog.tsx'), 'ProofDialog')

/** When a request needs a recent sign-in, asks for the password or a code over the page; then the request goes on. */
export function StepUp() {
  const waiting = useRef<((proven: boolean) => void)[]>([])
  const [asking, setAsking] = useState(false)
  const answer = (proven: boolean) => {
    setAsking(false)
    for (const each of waiting.current.splice(0)) each(proven)
  }
  useEffect(() => {
    proof.again = () =>
      new Promise((resolve) => {
        waiting.current.push(resolve)
        setAsking(true)
      })
    return () => {
      proof.again = undefined
      for (const each of waiting.current.splice(0)) each(false)
    }
  }, [])
  return asking ? <ProofDialog onAnswer={answer} /> : null
}
