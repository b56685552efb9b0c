import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { patiently } from '../patiently.ts'

/** A component whose code is fetched when it is first shown, so that the page before it stays small. */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>, waiting?: ReactNode) {
  const Loaded = lazy(async () => ({ default: await patiently(load) })) as ComponentType<Props>
  return (props: Props) => (
    <Suspense fallback={waiting}>
      <Loaded {...props} />
    </Suspense>
  )
}
