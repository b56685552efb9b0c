import { useCallback, useReducer } from 'react'
import { historyStep } from './history-step.ts'

/** Something one edits, with the way back and forth. */
export function useHistory<T>(initial: T) {
  const [history, step] = useReducer(historyStep<T>, { past: [], now: initial, future: [], tag: '', at: 0 })
  return {
    now: history.now,
    change: useCallback((to: T, tag = '') => step({ do: 'change', to, tag, at: Date.now() }), []),
    undo: useCallback(() => step({ do: 'undo' }), []),
    redo: useCallback(() => step({ do: 'redo' }), []),
    reset: useCallback((to: T) => step({ do: 'reset', to }), []),
    mayUndo: history.past.length > 0,
    mayRedo: history.future.length > 0,
  }
}
