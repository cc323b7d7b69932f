/** A curl command that publishes a page. */
export function publishCommand(baseUrl: string, key: string): string {
  return `curl ${baseUrl}/api/v1/pages \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"title": "Hello", "html": "<h1>Hello</h1>"}'`
}
