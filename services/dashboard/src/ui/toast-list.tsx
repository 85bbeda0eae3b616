// The messages of `say`, in a live region.
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import "./toasts.css";

const toasts = Toast.createToastManager();

let shown: string | undefined;
// A message that came before its place was on the screen.
let early: string | undefined;
let isReady = false;

export function show(sentence: string): void {
  if (!isReady) {
    early = sentence;
    return;
  }
  if (shown !== undefined) toasts.close(shown);
  shown = toasts.add({ title: sentence });
}

export default function ToastList() {
  useEffect(() => {
    isReady = true;
    if (early !== undefined) show(early);
    early = undefined;
    return () => {
      isReady = false;
    };
  }, []);
  return (
    <CSPProvider disableStyleElements>
      <Toast.Provider toastManager={toasts}>
        <Toast.Portal>
          <Toast.Viewport className="toasts">
            <Items />
          </Toast.Viewport>
        </Toast.Portal>
      </Toast.Provider>
    </CSPProvider>
  );
}

function Items() {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title />
      <Toast.Close className="button button-quiet">Close</Toast.Close>
    </Toast.Root>
  ));
}
