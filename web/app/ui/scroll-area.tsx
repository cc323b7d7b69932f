import type { ComponentProps, ElementType } from 'preact/compat'

/** Content that scrolls in its place. It takes the focus, so that keys scroll it, too. */
export function ScrollArea({
  as: Area = 'div',
  className,
  ...rest
}: Omit<ComponentProps<'div'>, 'className'> & { as?: ElementType; className?: string }) {
  return <Area tabIndex={0} className={`${className} focus-visible:-outline-offset-2`} {...rest} />
}
