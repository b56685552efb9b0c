import { useEffect, useRef, useState } from 'react'
import type { Reading } from './receipt.tsx'

type Place = NonNullable<Reading['boxes']>[string]

type PictureProps = {
  src: string
  alt: string
  /** Which page of the file it is. */
  page?: number
  reading?: Reading | undefined
  field?: string | undefined
  onShown?: () => void
  onBroken?: () => void
}

/** The upright picture, with a frame around everything that was read; the field in question stands out. */
export function Picture({ src, alt, page = 1, reading, field, onShown, onBroken }: PictureProps) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  const turned = reading?.turned?.[page - 1] ?? 0
  const lies = turned % 180 !== 0 && size.width > 0
  const boxes = Object.entries(reading?.boxes ?? {}).filter(([, place]) => place.page === page)
  const ratio = size.width / size.height
  return (
    <div
      className="relative overflow-hidden rounded-md border border-rule"
      {...(lies && { style: { aspectRatio: `${size.height} / ${size.width}` } })}
    >
      <img
        src={src}
        alt={alt}
        loading="lazy"
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
          setSize({ width, height })
          onShown?.()
        }}
        onError={onBroken}
        className={lies ? 'absolute top-1/2 max-w-none' : 'block w-full'}
        style={
          lies
            ? { left: '50%', width: `${ratio * 100}%`, transform: `translate(-50%, -50%) rotate(${turned}deg)` }
            : turned
              ? { transform: `rotate(${turned}deg)` }
              : {}
        }
      />
      {boxes.map(([name, place]) => (
        <Box key={name} at={place} isActive={name === field} />
      ))}
    </div>
  )
}

/** A frame around what is printed. Pictures are not mirrored in Hebrew, so its place is counted from the left. */
function Box({ at: { x, y, width, height }, isActive }: { at: Place; isActive: boolean }) {
  const frame = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (isActive) frame.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const share = (part: number) => `${part * 100}%`
  return (
    <span
      ref={frame}
      aria-hidden
      data-active={isActive}
      className={`absolute rounded-sm border-2 ${isActive ? 'border-accent bg-accent/20' : 'border-info/50'}`}
      style={{ left: share(x), top: share(y), width: share(width), height: share(height) }}
    />
  )
}
