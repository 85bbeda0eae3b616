// Short messages about completed actions. They never contain a secret, nor the only way to an action.
import { Toast } from "@base-ui/react/toast";
import "./toasts.css";

const toasts = Toast.createToastManager();

let shown: string | undefined;

/** Shows a message: `Key “Shop” is revoked.` It replaces the message before it. */
export function say(sentence: string): void {
  if (shown !== undefined) toasts.close(shown);
  shown = toasts.add({ title: sentence });
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title />
      <Toast.Close className="button button-quiet">Close</Toast.Close>
    </Toast.Root>
  ));
}
