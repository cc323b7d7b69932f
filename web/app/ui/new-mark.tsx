/** Marks what has come since one last looked. */
export function NewMark() {
  return (
    <span className="shrink-0 rounded-full bg-accent px-2 text-12 font-medium text-on-accent">
      New
    </span>
  )
}
