/** Lets the user move the panel: by its header with a pointer, by its Move button with the arrow keys. */
const STEP = 24;
const STEPS: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

export function makeMovable(host: HTMLElement, header: HTMLElement, move: HTMLElement): void {
  const moveTo = (x: number, y: number): void => {
    const { width, height } = host.getBoundingClientRect();
    const inside = (value: number, limit: number): string => `${Math.max(0, Math.min(value, limit))}px`;
    host.style.left = inside(x, innerWidth - width);
    host.style.top = inside(y, innerHeight - height);
    host.style.right = 'auto';
  };

  let grip: { x: number; y: number } | undefined;
  header.addEventListener('pointerdown', (event) => {
    const { left, top } = host.getBoundingClientRect();
    grip = { x: event.clientX - left, y: event.clientY - top };
    header.setPointerCapture(event.pointerId);
  });
  header.addEventListener('pointermove', (event) => {
    if (grip) moveTo(event.clientX - grip.x, event.clientY - grip.y);
  });
  for (const end of ['pointerup', 'pointercancel']) {
    header.addEventListener(end, () => {
      grip = undefined;
    });
  }
  move.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const { left, top } = host.getBoundingClientRect();
    moveTo(left + step[0], top + step[1]);
  });
}
