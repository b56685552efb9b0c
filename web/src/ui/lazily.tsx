import { type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { patiently } from '../patiently.ts'

type Shown<M, K extends keyof M> = M[K] extends (props: infer P) => ReactNode ? P & object : never

/**
 * A component whose script comes when it is first shown: `const PayDialog = lazily(() => import('./pay.tsx'), 'PayDialog')`. Dialogs
 * and what is in them are most of a screen, and few are opened. Until it is there, `meanwhile` is shown, which may depend on what
 * the component is given.
 */
export function lazily<M, K extends keyof M>(
  bring: () => Promise<M>,
  name: K,
  meanwhile: ReactNode | ((props: Shown<M, K>) => ReactNode) = null,
): ComponentType<Shown<M, K>> {
  const Loaded = lazy(() => patiently(bring).then((module) => ({ default: module[name] as ComponentType<object> })))
  return (props: Shown<M, K>) => (
    <Suspense fallback={typeof meanwhile === 'function' ? meanwhile(props) : meanwhile}>
      <Loaded {...(props as ComponentProps<typeof Loaded>)} />
    </Suspense>
  )
}
