CREATE TABLE "form_texts" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"form_id" text COLLATE "C" NOT NULL,
	"language" text COLLATE "C" NOT NULL,
	"texts" text COLLATE "C" NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	CONSTRAINT "form_texts_tenant_id_form_id_language_pk" PRIMARY KEY("tenant_id","form_id","language")
);

--> statement-breakpoint
ALTER TABLE "responses" ADD COLUMN "language" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "form_texts" ADD CONSTRAINT "form_texts_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "form_texts" ADD CONSTRAINT "form_texts_tenant_id_form_id_forms_tenant_id_id_fk" FOREIGN KEY ("tenant_id","form_id") REFERENCES "public"."forms"("tenant_id","id") ON DELETE no action ON UPDATE no action;
