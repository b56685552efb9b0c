import { type PointerEvent, useRef } from 'react'
import { useWords, words } from '../../words.ts'

const said = words({ width: (head: string) => `Width of ${head}` }, { width: (head) => `רוחב ${head}` })
const step = 16
const least = 48
const most = 1200

type EdgeProps = { head: string; width: number | undefined; onWidth: (px: number | undefined) => void }

/** The end of a column's head: dragged, or moved with the arrows, it makes the column wider; Backspace or two clicks give its own width back. */
export function ColumnEdge({ head, width, onWidth }: EdgeProps) {
  const say = useWords(said)
  const edge = useRef<HTMLSpanElement>(null)
  const from = useRef<{ x: number; width: number }>(undefined)
  const sign = () => (getComputedStyle(edge.current ?? document.body).direction === 'rtl' ? -1 : 1)
  const current = () => Math.round(edge.current?.parentElement?.getBoundingClientRect().width ?? 0)
  const set = (px: number) => onWidth(Math.round(Math.max(least, Math.min(most, px))))
  const begin = (event: PointerEvent<HTMLSpanElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = { x: event.clientX, width: current() }
  }
  const drag = (event: PointerEvent) => {
    if (from.current) set(from.current.width + (event.clientX - from.current.x) * sign())
  }
  return (
    <span
      ref={edge}
      role="separator"
      aria-orientation="vertical"
      title={say.width(head)}
      aria-valuenow={width ?? 0}
      aria-valuemin={0}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={() => {
        from.current = undefined
      }}
      onDoubleClick={() => onWidth(undefined)}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowRight' ? step : event.key === 'ArrowLeft' ? -step : 0
        if (by !== 0) set(current() + by * sign())
        else if (event.key === 'Backspace' || event.key === 'Delete') onWidth(undefined)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
      className="absolute z-10 -inset-y-2 -end-1 w-2 cursor-col-resize touch-none after:absolute after:inset-y-2 after:start-1 after:w-px hover:after:bg-edge focus-visible:after:bg-accent"
    />
  )
}
