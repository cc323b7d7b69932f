/** A bar for a share from 0 to 1, whose numbers stand beside it as text. */
export function ShareBar({ share, className = 'h-1' }: { share: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      className={`w-full overflow-hidden rounded-full ${className}`}
    >
      <rect width="100%" height="100%" className="fill-line" />
      <rect width={`${Math.min(1, share) * 100}%`} height="100%" className="fill-accent" />
    </svg>
  )
}
