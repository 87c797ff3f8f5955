export function shownDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}

export function shownTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}
