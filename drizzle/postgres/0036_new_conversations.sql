CREATE TABLE "unopened_tickets" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "unopened_tickets_tenant_id_ticket_id_pk" PRIMARY KEY("tenant_id","ticket_id")
);

--> statement-breakpoint
ALTER TABLE "reply_drafts" ALTER COLUMN "ticket_id" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "reply_drafts" ADD COLUMN "subject" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "reply_drafts" ADD COLUMN "inbox_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "unopened_tickets" ADD CONSTRAINT "unopened_tickets_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "unopened_tickets" ADD CONSTRAINT "unopened_tickets_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
