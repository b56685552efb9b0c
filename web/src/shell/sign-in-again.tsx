import { useEffect, useRef, useState } from 'react'
import { proof, type Refused, refusalListeners } from '../api.ts'
import { lazily } from '../ui/lazily.tsx'

const PasswordDialog = lazily(() => import('./password-dialog.tsx'), 'PasswordDialog')

/** When the session has ended, the page stays and asks for the password over it; then the change that was refused goes on. */
export function SignInAgain() {
  const waiting = useRef<((signedIn: boolean) => void)[]>([])
  const [ended, setEnded] = useState(false)
  const answer = (signedIn: boolean) => {
    proof.answeredAt = performance.now()
    setEnded(false)
    for (const each of waiting.current.splice(0)) each(signedIn)
  }
  useEffect(() => {
    const note = ({ code }: Refused) => code === 'UNAUTHENTICATED' && setEnded(true)
    refusalListeners.add(note)
    proof.signIn = () =>
      new Promise((resolve) => {
        waiting.current.push(resolve)
        setEnded(true)
      })
    return () => {
      refusalListeners.delete(note)
      proof.signIn = undefined
      for (const each of waiting.current.splice(0)) each(false)
    }
  }, [])
  return ended ? <PasswordDialog onAnswer={answer} /> : null
}
