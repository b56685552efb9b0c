import { useEffect, useRef, useState } from 'react'
import { proof, type Refused, refusalListeners } from '../api.ts'
import { lazily } from '../ui/lazily.tsx'

const PasswordDialog = lazily(() => import('./password-dialog.tsx'), 'PasswordDialog')

/**
 * When the session has ended, the page stays and asks for the password over it; then the change that was refused goes on. Who
 * closes the question is asked again by the next change or on another page, not by what the page reads by itself.
 */
export function SignInAgain() {
  const waiting = useRef<((signedIn: boolean) => void)[]>([])
  const closedOn = useRef<string>(undefined)
  const [ended, setEnded] = useState(false)
  const answer = (signedIn: boolean) => {
    proof.answeredAt = performance.now()
    closedOn.current = signedIn ? undefined : location.pathname
    setEnded(false)
    for (const each of waiting.current.splice(0)) each(signedIn)
  }
  useEffect(() => {
    const note = ({ code }: Refused) => {
      if (code === 'UNAUTHENTICATED' && closedOn.current !== location.pathname) setEnded(true)
    }
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
